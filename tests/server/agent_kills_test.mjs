// parley-agent under a server that is killed.
import { join } from 'node:path';
import { bin } from './hub_client.mjs';
import { killTests } from './kill_moments.mjs';

killTests(join(bin, 'parley-agent'), { kills: 25, longest: 120 });
