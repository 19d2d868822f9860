package com.getcapacitor;

/** Asked by Logger only. */
public class CapConfig {

    public boolean isLoggingEnabled() {
        return true;
    }
}
