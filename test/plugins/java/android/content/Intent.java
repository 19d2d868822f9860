package android.content;

/** Named by annotations of Capacitor only. */
public class Intent {}
