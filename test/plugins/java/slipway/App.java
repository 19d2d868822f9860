package slipway;

import com.getcapacitor.Bridge;
import com.getcapacitor.JSObject;
import com.getcapacitor.MessageHandler;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import io.capawesome.capacitorjs.plugins.liveupdate.LiveUpdatePlugin;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.json.JSONObject;

/**
 * One process is one start of an app with the plugin. The first line of standard input has the settings of {@link Phone},
 * each other one a call: {@code {"id": "1", "method": "sync", "options": {}}}. The app ends with its input. The method
 * {@code $folder} returns the folder that the web view shows.
 */
public final class App {

    private App() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Phone.start(new JSONObject(input.readLine()));
        Bridge bridge = new Bridge();
        LiveUpdatePlugin plugin = new LiveUpdatePlugin();
        plugin.setBridge(bridge);
        Phone.MAIN_THREAD.submit(() -> {
            plugin.load();
            plugin.resume();
        }).get();
        bridge.loaded();
        Answers.event("started", null);

        MessageHandler handler = new MessageHandler();
        // Capacitor calls all methods of plugins on one thread of their own.
        ExecutorService plugins = Executors.newSingleThreadExecutor();
        for (String line; (line = input.readLine()) != null; ) {
            JSONObject call = new JSONObject(line);
            String id = call.getString("id");
            String method = call.getString("method");
            if (method.equals("$folder")) {
                Answers.send(id, new JSONObject().put("folder", bridge.getServerBasePath()), null);
                continue;
            }
            JSObject options = JSObject.fromJSONObject(call.getJSONObject("options"));
            Method target = LiveUpdatePlugin.class.getMethod(method, PluginCall.class);
            if (!target.isAnnotationPresent(PluginMethod.class)) throw new NoSuchMethodException(method);
            plugins.submit(() -> target.invoke(plugin, new PluginCall(handler, "LiveUpdate", id, method, options)));
        }
        Runtime.getRuntime().halt(0);
    }
}
