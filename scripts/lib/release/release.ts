import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from '../project.js';
import { moveUnreleased, parseRelease } from './release-notes.ts';

/** A step of a release. A dry run shows its title only. */
interface Step {
  readonly title: string;
  readonly run: () => void;
}

const MANIFEST = join(PROJECT, 'package.json');
/** Published packages have the version of the product; the other rooms stay 0.0.0. */
const COMMAND_LINE_MANIFEST = join(PROJECT, 'packages/cli/package.json');
const CHANGELOG = join(PROJECT, 'CHANGELOG.md');

try {
  release(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Releases a version from the current commit: `npm run release -- 1.2.3 [--dry-run]`. Does not push. */
function release(args: readonly string[]): void {
  const isDryRun = args.includes('--dry-run');
  const { version: current } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string };
  const version = parseRelease(
    args.find((arg) => !arg.startsWith('--')),
    current,
  );
  const dirty = git('status', '--porcelain');
  if (dirty !== '' && !isDryRun) throw new Error(`Commit or remove first:\n${dirty}`);
  const { changelog, notes } = moveUnreleased(readFileSync(CHANGELOG, 'utf8'), version, new Date().toISOString().slice(0, 10));
  for (const { title, run } of [
    ...versionSteps(version, changelog),
    ...packageSteps(version),
    ...imageSteps(version),
    ...tagSteps(version, notes),
  ]) {
    console.log(`${isDryRun ? 'would ' : ''}${title}`);
    if (!isDryRun) run();
  }
  if (!isDryRun) console.log(`Next: git push --follow-tags, and docker push of the images tagged ${version}`);
}

function versionSteps(version: string, changelog: string): readonly Step[] {
  return [
    {
      title: `set the version of package.json and of the command line to ${version}`,
      run: () => [MANIFEST, COMMAND_LINE_MANIFEST].forEach((path) => setVersion(path, version)),
    },
    { title: 'move what is unreleased in CHANGELOG.md under the version', run: () => writeFileSync(CHANGELOG, changelog) },
    { title: `commit "release: ${version}"`, run: () => void git('commit', '--all', '--message', `release: ${version}`) },
  ];
}

function setVersion(path: string, version: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"version": "[^"]*"/, `"version": "${version}"`));
}

function packageSteps(version: string): readonly Step[] {
  return [
    {
      title: `pack the command line as dist/svc-cli-${version}.tgz`,
      run: () => {
        const options = ['--filter', '@svc/cli', 'pack', '--pack-destination', join(PROJECT, 'dist')];
        execFileSync('pnpm', options, { cwd: PROJECT, stdio: 'inherit' });
      },
    },
  ];
}

function imageSteps(version: string): readonly Step[] {
  const services = readdirSync(join(PROJECT, 'services'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return services.map(({ name }) => ({
    title: `build the image svc/${name}:${version}`,
    run: () => {
      const settings = [`SERVICE=${name}`, `VERSION=${version}`, `REVISION=${git('rev-parse', 'HEAD')}`];
      const options = ['-f', 'deploy/docker/Dockerfile', ...settings.flatMap((setting) => ['--build-arg', setting])];
      execFileSync('docker', ['build', ...options, '-t', `svc/${name}:${version}`, '.'], { cwd: PROJECT, stdio: 'inherit' });
    },
  }));
}

function tagSteps(version: string, notes: string): readonly Step[] {
  return [
    {
      title: `tag v${version} with the notes of the changelog`,
      run: () => void git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', notes),
    },
  ];
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim();
}
