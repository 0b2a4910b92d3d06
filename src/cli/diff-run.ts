import { text } from 'node:stream/consumers'
import { systemClock } from '#base/clock.ts'
import { problem } from '#base/problem.ts'
import { Credentials } from '#engine/credentials.ts'
import { TalosClient } from '#talos/client.ts'
import { type FileObject, objectsIn } from './diff-file.ts'
import type { PlacedObject } from './diff-rehearse.ts'
import { exitCodeFor } from './diff-report.ts'
import { reportOn } from './diff-report-on.ts'
import { diffJson, diffText } from './diff-text.ts'
import { openManagementApi } from './management-api.ts'
import type { ForeseeFlags, ManagementFlags } from './management-flags.ts'
import type { Output } from './output.ts'

/** What the command line says. */
export interface DiffFlags extends ForeseeFlags {
  readonly filename: readonly string[]
}

const clock = systemClock

/** Prints what applying files would change. Resolves to the exit code; rejects with a problem for people. */
export async function runDiff(
  { filename, output, enableMetaKey: isMetaWritten = false, ...flags }: DiffFlags,
  { out }: Output,
): Promise<0 | 1 | 2> {
  const objects = await objectsIn(filename, () => text(process.stdin))
  using api = await openManagementApi(flags)
  const placed = objects.map((object) => placedIn(api.namespace, object, flags))
  demandEachOnce(placed)
  const machines = new TalosClient({ clock })
  try {
    const { signal } = new AbortController()
    const ports = {
      machines,
      clock,
      isMetaWritten,
      signal,
      credentials: new Credentials({ clock }),
    }
    const report = await reportOn(placed, { ...ports, client: api.client })
    out(output === 'json' ? diffJson(report) : diffText(report))
    return exitCodeFor(report)
  } finally {
    machines.close()
  }
}

function placedIn(
  fallback: string,
  { metadata, ...object }: FileObject,
  flags: ManagementFlags,
): PlacedObject {
  const { namespace = fallback, name } = metadata
  if (flags.namespace !== undefined && namespace !== flags.namespace) {
    throw problem({
      what: `${object.kind} ${name} is in the namespace ${namespace}, and --namespace says ${flags.namespace}`,
      why: 'an object goes to the namespace that it names',
      remedy: 'leave one of the two out',
    })
  }
  return { ...object, metadata: { ...metadata, namespace } }
}

function demandEachOnce(objects: readonly PlacedObject[]): void {
  const known = new Set<string>()
  for (const { apiVersion, kind, metadata } of objects) {
    const id = [apiVersion, kind, metadata.namespace, metadata.name].join(' ')
    if (known.has(id)) {
      throw problem({
        what: `${kind} ${metadata.name} is there twice`,
        why: 'which of the two would be applied last is not known',
        remedy: 'take one of them out',
      })
    }
    known.add(id)
  }
}
