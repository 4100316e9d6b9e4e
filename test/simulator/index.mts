/** Simulator of the service: a server that follows the interface document, and a sender of its events. */
export { startSimulator, type Simulator, type SimulatorOptions } from './server.mts';
export type { Settings } from './settings.mts';
export {
	API_KEYS,
	DEFAULT_WEBHOOK_KEY,
	IDS,
	MAGIC_RECIPIENTS,
	OTHER_COMPANY_API_KEY,
} from './ids.mts';
export type { LedgerRow, RequestRecord } from './ledger.mts';
export type { Fault, FaultKind } from './faults.mts';
export type { Endpoint } from './endpoint.mts';
export { ENDPOINTS } from './endpoints/index.mts';
export {
	EVENTS,
	EVENT_NAMES,
	eventName,
	sampleEvent,
	type EventDefinition,
	type EventEnvelope,
	type EventOverrides,
} from './events/index.mts';
export { deliver, type Attempt, type Delivery, type DeliverOptions } from './sender.mts';
export { deliverOpenLoop, type OpenLoopOptions } from './openLoop.mts';
export type { DeliveryRecord, Subscription } from './outbox.mts';
export { TRANSFER_OUTCOMES, type SimulatorState, type TransferOutcome } from './state.mts';
