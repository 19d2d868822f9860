package android.content.res;

import slipway.Phone;

/** The only resource is the channel that the app was built with. */
public class Resources {

    private static final String CHANNEL = "capawesome_live_update_default_channel";

    public int getIdentifier(String name, String type, String packageName) {
        return name.equals(CHANNEL) && Phone.settings().has("nativeChannel") ? 1 : 0;
    }

    public String getString(int id) {
        return Phone.settings().optString("nativeChannel");
    }
}
