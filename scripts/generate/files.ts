import { kinds } from '#api/kinds.ts'
import { systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { controllersWith } from '#operator/controllers.ts'
import { openPorts } from '#operator/ports.ts'
import { readSettings } from '#operator/settings.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { chartFiles } from './chart.ts'
import { crdFiles } from './crds.ts'
import { editorSchemaFiles } from './editor-schemas.ts'
import { errorFiles } from './errors.ts'
import { growthPictureFiles } from './growth-picture.ts'
import { kustomizeFiles } from './kustomize.ts'
import { metricsFiles } from './metrics.ts'
import { monitoringFiles } from './monitoring.ts'
import { pictureFiles } from './pictures.ts'
import { protoFiles } from './protos.ts'
import { referenceFiles } from './reference.ts'
import { sampleFiles } from './samples.ts'
import { settingsFiles } from './settings.ts'
import type { GeneratedFile } from './tree.ts'
import { upgradePictureFiles } from './upgrade-picture.ts'

/** Everything that follows from the code, in one list. */
export function generatedFiles(): GeneratedFile[] {
  const controllers = controllersWith(openPorts(NOWHERE))
  return [
    ...crdFiles(kinds),
    ...editorSchemaFiles(kinds),
    ...referenceFiles(kinds),
    ...settingsFiles(),
    ...metricsFiles(),
    ...monitoringFiles(),
    ...errorFiles(),
    ...upgradePictureFiles(),
    ...kustomizeFiles(controllers),
    ...chartFiles(controllers),
    ...sampleFiles(kinds),
    ...pictureFiles(),
    ...growthPictureFiles(),
    ...protoFiles(),
  ]
}

const silent = () => undefined
const log: Log = { error: silent, warn: silent, info: silent, debug: silent, with: () => log }
// Controllers are only asked what they declare.
const NOWHERE = {
  ...{ clock: systemClock, log, version: '', metrics: createMetrics({ version: '' }) },
  settings: readSettings({ flags: {}, env: {} }),
}
