/**
 * Simulator of the service: a server that follows the interface document, and a sender of its events. It imports nothing
 * of the product, so that this folder can be copied.
 */
export { startSimulator, type Simulator, type SimulatorOptions } from './server.mts';
export { API_KEYS, DEFAULT_WEBHOOK_KEY, IDS, MAGIC_RECIPIENTS } from './ids.mts';
export type { Fault } from './faults.mts';
export { EVENT_NAMES } from './description.mts';
export { eventName, sampleEvent, type EventEnvelope } from './events.mts';
export { deliver, type Attempt, type Delivery, type DeliverOptions } from './sender.mts';
