// Simulator in a separate process, so that its copy of the documents does not count as the node's.
import { startSimulator } from '../../simulator/index.mts';
import { pdf } from '../../simulator/pdf.mts';

/** Size of the statement in bytes. */
process.once('message', (bytes: number) => {
	const [head, tail] = pdf(['']).toString('latin1').split('%%EOF');
	void startSimulator({
		requestsPerSecond: 0,
		faults: [
			{
				kind: 'body',
				match: { method: 'GET', path: '/pdf' },
				times: Number.MAX_SAFE_INTEGER,
				body: `${head}%${'.'.repeat(bytes)}\n%%EOF${tail}`,
			},
		],
	}).then(({ url }) => process.send?.(url));
});
process.once('disconnect', () => process.exit());
