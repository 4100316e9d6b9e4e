import { bench } from './bench.mts';
import { photograph } from './screenshots/screenshots.mts';

const USAGE = `npm run by-hand -- bench lazy|default
  Measures card authorizations. Update docs/measured.md with the figures by hand.

npm run by-hand -- screenshots [part of a name …]
  Recreates the pictures of docs/images, by default all.`;

const [command, ...args] = process.argv.slice(2);
if (command === 'screenshots') await photograph(args);
else if (command === 'bench' && ['lazy', 'default'].includes(args[0]!)) await bench(args[0]!);
else console.log(USAGE);
