// Runs SQL for another process: n8n's driver is built for the Node that runs n8n, and crashes in another one.
import { createRequire } from 'node:module';

const [n8n, file] = process.argv.slice(2);
const sqlite = createRequire(n8n)('sqlite3');
const driver = new sqlite.Database(file, (error) => process.send({ error: error?.message }));

process.on('message', ({ sql, values }) => {
	driver.all(sql, values, (error, rows) => process.send({ error: error?.message, rows }));
});
// The driver ends with its process, and with it the locks that it holds.
process.on('disconnect', () => process.exit());
