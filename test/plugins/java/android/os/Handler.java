package android.os;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import slipway.Phone;

/** Runs everything on the main thread of the app. */
public class Handler {

    private final List<Future<?>> waiting = new ArrayList<>();

    public Handler() {}

    public Handler(Looper looper) {}

    public synchronized boolean postDelayed(Runnable runnable, long delayMillis) {
        waiting.add(Phone.MAIN_THREAD.schedule(runnable, delayMillis, TimeUnit.MILLISECONDS));
        return true;
    }

    /** Only ever called with {@code null}: everything. */
    public synchronized void removeCallbacksAndMessages(Object token) {
        waiting.forEach(each -> each.cancel(false));
        waiting.clear();
    }
}
