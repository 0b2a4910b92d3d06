import { LEAN_NODE, type Subject, startSubject } from './subject.ts'
import type { EmbeddedApi } from './subjects/embedded-api.ts'

interface Where {
  /** Where it keeps everything. */
  folder: string
  port?: number
}

/** Starts the embedded API in a process of its own, by Node as `talos-operator standalone` is. */
export const startEmbedded = ({ folder, port = 0 }: Where): Promise<Subject<EmbeddedApi>> =>
  startSubject<EmbeddedApi>('embedded-api', {
    args: [folder, String(port)],
    node: LEAN_NODE,
    nodeArgs: [],
  })
