// Loaded into n8n with `--import`. n8n's Data Table nodes then look up if they should fail before they use the database.
// Plain JavaScript, because n8n's Node loads it.
import { readFileSync, writeFileSync } from 'node:fs';
import Module from 'node:module';

const file = process.env.DATA_TABLE_FAULTS;

function fail(name) {
	const { node, fault } = JSON.parse(readFileSync(file, 'utf8'));
	if (node !== name) return;
	if (fault === 'once') writeFileSync(file, '{}');
	throw new Error('SQLITE_BUSY: database is locked');
}

if (file) {
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
				fail(context.getNode().name);
				return await access(context, ...more);
			};
		}
		return loaded;
	};
}
