import lodash from 'lodash';

import { WORDS } from '../../../nodes/CardTreasury/run/words.ts';
import { CARDS } from './cases/cards.mts';
import type { Case } from './cases/case.mts';
import { EVENTS } from './cases/events.mts';
import { KYC } from './cases/kyc.mts';
import { LEDGER } from './cases/ledger.mts';
import { MONEY } from './cases/money.mts';
import { PAY } from './cases/pay.mts';
import { WATCH } from './cases/watch.mts';

export const CASES: Case[] = [...EVENTS, ...CARDS, ...KYC, ...LEDGER, ...MONEY, ...PAY, ...WATCH];

/** Pattern in which `<done>` stands for the words of that outcome. */
export const said = ({ source, flags }: RegExp): RegExp => {
	const words = (text: string, outcome: string) => lodash.get(WORDS, outcome)?.[0] ?? text;
	return RegExp(source.replace(/<(\w+)>/g, words), flags);
};
