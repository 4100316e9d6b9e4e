// Loaded into n8n with `--import`. n8n's Data Table nodes then ask the test if they should fail before they use the
// database. Plain JavaScript, because n8n's Node loads it.
import Module from 'node:module';

const url = process.env.DATA_TABLE_FAULTS_URL;

if (url) {
	const load = Module._load;
	const wrapped = new WeakSet();
	Module._load = function (request, parent, ...rest) {
		const loaded = load.call(this, request, parent, ...rest);
		const isAccess =
			request.endsWith('common/utils') && /[\\/]DataTable[\\/]/.test(parent?.filename ?? '');
		if (!isAccess || wrapped.has(loaded)) return loaded;
		wrapped.add(loaded);
		for (const name of ['getDataTableProxyExecute', 'getDataTableAggregateProxy']) {
			const access = loaded[name];
			loaded[name] = async (context, ...more) => {
				const answer = await fetch(`${url}/?node=${encodeURIComponent(context.getNode().name)}`);
				if (await answer.json()) throw new Error('SQLITE_BUSY: database is locked');
				return await access(context, ...more);
			};
		}
		return loaded;
	};
}
