import { Command } from '@commander-js/extra-typings';

import { unwrap } from '@svc/api-client';

import type { Cli } from '../cli.ts';
import { printDetails } from '../output/print-table.ts';
import { describeToken } from '../session/describe-token.ts';

/** `svc whoami`. */
export function whoamiCommand({ terminal, tokens, services, profileName, addresses }: Cli) {
  return new Command('whoami')
    .summary('show who is signed in, once a service has accepted the token')
    .description('Show as whom commands call the services. The executor has accepted the token when this succeeds.')
    .action(async () => {
      const { executor } = await services();
      await unwrap(executor.GET('/queries'));
      const { subject, issuer, scope, expiresAt } = describeToken(await (await tokens()).accessToken());
      const source = terminal.env['SVC_TOKEN'] ? 'SVC_TOKEN' : `profile ${await profileName()}`;
      const details = { subject, scope, issuer, expires: expiresAt?.toISOString(), token: source, executor: (await addresses()).executor };
      terminal.stdout.write(printDetails(details));
    });
}
