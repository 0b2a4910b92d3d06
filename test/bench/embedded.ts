import { type Subject, startSubject } from './subject.ts'
import type { EmbeddedApi } from './subjects/embedded-api.ts'

interface Where {
  /** Where it keeps everything. */
  folder: string
  port?: number
}

/** Starts the embedded API in a process of its own, with what `talos-operator standalone` starts Node with. */
export const startEmbedded = ({ folder, port = 0 }: Where): Promise<Subject<EmbeddedApi>> =>
  startSubject<EmbeddedApi>('embedded-api', {
    args: [folder, String(port)],
    nodeArgs: ['--max-semi-space-size=8'],
    // More arenas make nothing faster here, and keep what was freed in them.
    env: { MALLOC_ARENA_MAX: '1' },
  })
