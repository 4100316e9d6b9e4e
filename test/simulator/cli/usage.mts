import { FAULT_KINDS } from '../faults.mts';
import { DEFAULT_WEBHOOK_KEY } from '../ids.mts';
import { settingHelp } from './settingFlags.mts';

export const DEFAULT_PORT = 4010;

export const USAGE = `Simulator of the card, treasury and client-management service
Below, "simulator" stands for: npm run simulator --

  simulator                      run the service until Ctrl-C
    --port N                     default ${DEFAULT_PORT}; 0 = any free port
    --webhook-url URL            target of its own events: after a transfer, and when a velocity rule blocks a card
    --key KEY                    webhook key of these events; default ${DEFAULT_WEBHOOK_KEY}
    --fault KIND                 start with a fault, e.g. --fault reset-after (may be repeated), or as JSON,
                                 e.g. --fault '{"kind":"status","status":503,"times":3}'. The kinds:
                                 ${FAULT_KINDS.join(', ')}
  Strictness of the service; by default as lenient as the interface document allows
${settingHelp()}

  simulator emit EVENT --to URL  send an event as the service does, and show the answers
    --key KEY                    webhook key; default ${DEFAULT_WEBHOOK_KEY}
    --set PATH=TEXT              change a field of the sample, e.g. --set data.amount=5 (may be repeated);
                                 a field that holds a number or true/false keeps its type
    --set PATH:=JSON             any JSON value, e.g. --set data.decline_reason:=null
    --count N                    number of events; each has its own operation_id unless --set sets one
    --attempts N                 maximum number of attempts; default as the service: 10, for an authorization 1

  simulator events               list the events

Examples
  simulator emit cards.authorization --to http://127.0.0.1:5678/webhook/abc --set data.bill_amount=19.90
  simulator emit treasury.transfer --to http://127.0.0.1:5678/webhook/abc --set status=failed --count 3`;
