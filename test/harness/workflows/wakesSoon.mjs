// Loaded into n8n with `--import`. n8n then looks once a second, not once a minute, which waits have ended. Plain
// JavaScript, because n8n's Node loads it.
import Module from 'node:module';

const load = Module._load;
const changed = new WeakSet();
Module._load = function (request, ...rest) {
	const loaded = load.call(this, request, ...rest);
	const tracker = request.endsWith('/wait-tracker') && loaded.WaitTracker?.prototype;
	if (!tracker || changed.has(tracker)) return loaded;
	changed.add(tracker);
	const { startTracking } = tracker;
	tracker.startTracking = function () {
		startTracking.call(this);
		setInterval(() => void this.getWaitingExecutions(), 1_000).unref();
	};
	return loaded;
};
