package com.getcapacitor;

import android.content.Context;
import slipway.Answers;
import slipway.Phone;

/** What the plugin uses of its base class. */
public class Plugin {

    protected Bridge bridge;

    public void load() {}

    protected void handleOnResume() {}

    public void setBridge(Bridge bridge) {
        this.bridge = bridge;
    }

    /** Capacitor calls it when the app comes to the front. */
    public void resume() {
        handleOnResume();
    }

    public Bridge getBridge() {
        return bridge;
    }

    public Context getContext() {
        return bridge.getContext();
    }

    public PluginConfig getConfig() {
        return new PluginConfig(Phone.settings().optJSONObject("config"));
    }

    protected void notifyListeners(String event, JSObject data, boolean retainUntilConsumed) {
        Answers.event(event, data);
    }

    protected void notifyListeners(String event, JSObject data) {
        notifyListeners(event, data, false);
    }
}
