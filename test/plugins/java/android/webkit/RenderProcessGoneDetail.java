package android.webkit;

public class RenderProcessGoneDetail {}
