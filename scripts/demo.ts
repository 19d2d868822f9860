import { runDemo } from './demo/run-demo.ts';
import { play } from './demo/story.ts';

/** `npm run demo`: plays a live update on a temporary instance. */
await runDemo({ title: 'Slipway: a live update from the first app to the device', play });
