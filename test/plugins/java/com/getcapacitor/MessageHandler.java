package com.getcapacitor;

import slipway.Answers;

/** Sends the result of a call to the web layer, which is the test here. */
public class MessageHandler {

    public void sendResponseMessage(PluginCall call, PluginResult success, PluginResult error) {
        Answers.send(call.getCallbackId(), success, error);
    }
}
