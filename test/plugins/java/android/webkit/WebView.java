package android.webkit;

/** Shows nothing. */
public class WebView {}
