import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { releases } from '#machineconfig/versions/releases.ts'
import { GO_SETTINGS } from '#test/conformance/programs/go.ts'

// It knows of every minor version that is served.
const NEWEST = 'github.com/siderolabs/talos/pkg/machinery@v1.14.0-alpha.2'

const sources = await folderOf(NEWEST)

/** Where a Go module lies, or undefined where it is not to be had. */
async function folderOf(module: string): Promise<string | undefined> {
  const downloading = promisify(execFile)('go', ['mod', 'download', '-json', module], {
    cwd: join(import.meta.dirname, 'shapes'),
    env: { ...process.env, ...GO_SETTINGS },
  })
  const { stdout } = await downloading.catch(() => ({ stdout: '{}' }))
  return JSON.parse(stdout).Dir
}

describe.runIf(sources)('the table of releases is as the sources of Talos have it', () => {
  test.each(releases)('v1.$minor', async ({ minor, kubernetes, upgradeFrom, upgradeBelow }) => {
    const folder = join(sources ?? '', 'compatibility', `talos1${minor}`)
    const source = await readFile(join(folder, `talos1${minor}.go`), 'utf8')
    const versionIn = (name: string) =>
      new RegExp(`var ${name} = semver.MustParse\\("(.*)"\\)`).exec(source)?.[1]

    expect(versionIn('MinimumKubernetesVersion')).toBe(`1.${kubernetes[0]}.0`)
    expect(versionIn('MaximumKubernetesVersion')).toBe(`1.${kubernetes[1]}.99`)
    expect(versionIn('MinimumHostUpgradeVersion')).toBe(`1.${upgradeFrom}.0`)
    expect(versionIn('MaximumHostDowngradeVersion')).toBe(`1.${upgradeBelow}.0`)
    // The table has no place for single versions that are denied: it needs one as soon as there are any.
    expect(source).toMatch(/^var DeniedHostUpgradeVersions \[\]semver\.Version$/m)
  })
})
