import { lookup } from 'node:dns/promises';

/*
 * A separate program, which `LookupHelper` starts: resolves names as the operating system does, each in its own thread.
 * A thread that waits for a name server cannot be interrupted, only killed with its process.
 */
process.on('message', ({ id, host }: { id: number; host: string }) => {
  lookup(host, { all: true, order: 'verbatim' }).then(
    (found) => process.send?.({ id, addresses: found.map(({ address }) => address) }),
    () => process.send?.({ id, addresses: [] }),
  );
});

// The server is gone. A usual exit would wait for the threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
