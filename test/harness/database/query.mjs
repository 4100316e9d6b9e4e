// Runs SQL for another process, because n8n's driver is built for n8n's Node version and crashes in any other.
import { createRequire } from 'node:module';

const [n8n, file] = process.argv.slice(2);
const sqlite = createRequire(n8n)('sqlite3');
const driver = new sqlite.Database(file, (error) => process.send({ error: error?.message }));

process.on('message', ({ sql, values }) => {
	driver.all(sql, values, (error, rows) => process.send({ error: error?.message, rows }));
});
// The driver and its locks end with its process.
process.on('disconnect', () => process.exit());
