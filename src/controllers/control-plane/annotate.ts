import { ControlPlane } from '#api/control-plane.ts'
import type { Writer } from '#runtime/writer.ts'

/** Only on the version that was looked at: on another one somebody may have written something else. */
export const annotate = (
  { metadata }: ControlPlane,
  write: Writer,
  annotations: Record<string, string | null>,
): Promise<unknown> =>
  write.patch(ControlPlane, metadata.name, {
    type: 'merge',
    body: { metadata: { resourceVersion: metadata.resourceVersion, annotations } },
  })
