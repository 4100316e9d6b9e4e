import { FAULT_KINDS } from '../faults.mts';
import { DEFAULT_WEBHOOK_KEY } from '../ids.mts';
import { settingHelp, wrap } from './settingFlags.mts';

/** Where the simulator listens unless told otherwise. */
export const DEFAULT_PORT = 4010;

export const USAGE = `Simulator of the card, treasury and client-management service
Below, "simulator" stands for: npm run simulator --

  simulator                      run it until Ctrl-C
    --port N                     default ${DEFAULT_PORT}; 0 = any free port
    --webhook-url URL            where events go that it emits by itself (after a transfer, a card blocked by a
                                 velocity rule)
    --key KEY                    webhook key of these events; default ${DEFAULT_WEBHOOK_KEY}
    --fault KIND                 a fault from the start, e.g. --fault reset-after (may be repeated); or as JSON,
                                 e.g. --fault '{"kind":"status","status":503,"times":3}'; the kinds are
${wrap(FAULT_KINDS.join(', '))}
  How hard the service is; initially as lenient as the interface document allows
${settingHelp()}

  simulator emit EVENT --to URL  send an event as the service does, and show the answers
    --key KEY                    webhook key; default ${DEFAULT_WEBHOOK_KEY}
    --set PATH=TEXT              change a field of the sample, e.g. --set data.amount=5 (may be repeated);
                                 a number or true/false of the sample stays one
    --set PATH:=JSON             the same with any JSON value, e.g. --set data.decline_reason:=null
    --count N                    so many events; each has an operation_id of its own unless it is --set
    --attempts N                 at most so many attempts; default as the service (10, authorization 1)
    --file envelope.json         send this envelope instead of a sample (EVENT is then left out)

  simulator events               list the events

Examples
  simulator emit cards.authorization --to http://127.0.0.1:5678/webhook/abc --set data.bill_amount=19.90
  simulator emit treasury.transfer --to http://127.0.0.1:5678/webhook/abc --set status=failed --count 3`;
