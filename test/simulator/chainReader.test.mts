import { IDS } from './index.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator();

const ask = async (path: string, init?: RequestInit): Promise<unknown> =>
	await (await fetch(`${simulator.url}/chain/${path}`, init)).json();
const explore = async (parameters: Record<string, string>) =>
	await ask(
		`api?${new URLSearchParams({ module: 'account', action: 'tokenbalance', ...parameters })}`,
	);
const call = async (method: string, ...params: unknown[]) =>
	await ask('rpc', {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
	});
const holding = () => simulator.state.records.holdings[0]!;

it('shows what a wallet holds as an explorer and as a node of the blockchain do', async () => {
	const { address, token } = holding();
	expect(await explore({ address, contractaddress: token })).toEqual({
		...{ status: '1', message: 'OK', result: '1250500000' },
	});
	const data = `0x70a08231${'0'.repeat(24)}${address.slice(2)}`;
	expect(await call('eth_call', { to: token, data }, 'latest')).toMatchObject({
		result: `0x${(1_250_500_000).toString(16).padStart(64, '0')}`,
	});
	expect(await call('eth_call', { to: IDS.wallet, data }, 'latest')).toMatchObject({
		result: '0x',
	});
});

it('answers errors with 200', async () => {
	expect(await explore({ address: 'x', contractaddress: holding().token })).toMatchObject({
		...{ status: '0', message: 'NOTOK' },
	});
	expect(await call('eth_call', { to: holding().token, data: '0x1' })).toMatchObject({
		error: { code: -32602 },
	});
	expect(await call('eth_getBalance', holding().address)).toMatchObject({ result: '0x' });
});

it('knows faults, and what was sent', async () => {
	const { address, token } = holding();
	simulator.faults.add({ kind: 'status', status: 503, match: { path: '^/chain/api' } });
	const url = `${simulator.url}/chain/api?address=${address}&contractaddress=${token}`;
	expect((await fetch(url)).status).toBe(503);
	simulator.state.spend(address, token, '250.5');
	expect(await (await fetch(url)).json()).toMatchObject({ result: '1000000000' });
	simulator.state.spend(address, token, '5000');
	expect(await (await fetch(url)).json()).toMatchObject({ result: '0' });
	simulator.state.spend(address, 'another', '1');
});
