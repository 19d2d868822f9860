package slipway;

import org.json.JSONException;
import org.json.JSONObject;

/** Lines of JSON on standard output: the answers to calls of the plugin, and its events. */
public final class Answers {

    private Answers() {}

    public static void send(String id, Object success, Object error) {
        print("id", id, error == null ? "result" : "error", error == null ? success : error);
    }

    public static void event(String name, Object data) {
        print("event", name, "data", data);
    }

    private static synchronized void print(String key, String name, String valueKey, Object value) {
        try {
            // Results of Capacitor are no JSONObject, but print as one.
            Object json = value == null ? JSONObject.NULL : new JSONObject(value.toString());
            System.out.println(new JSONObject().put(key, name).put(valueKey, json));
            System.out.flush();
        } catch (JSONException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
