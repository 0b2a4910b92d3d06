import { version as builtin } from '#apiserver/builtin/generated/kinds.ts'
import type { Fields } from '#apiserver/objects.ts'

/** What `/version` answers: unless told, the version of Kubernetes whose kinds are built in. */
export function versionDocument(version = builtin): Fields {
  const [major = '', minor = ''] = version.slice(1).split('.')
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: version,
    gitCommit: '',
    gitTreeState: '',
    // Nothing here was built by Go; the fields are there because clients expect them.
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}
