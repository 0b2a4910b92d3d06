import { kinds } from '#api/kinds.ts'
import { controllers } from '#operator/controllers.ts'
import { crdFiles } from './crds.ts'
import { editorSchemaFiles } from './editor-schemas.ts'
import { errorFiles } from './errors.ts'
import { metricsFiles } from './metrics.ts'
import { protoFiles } from './protos.ts'
import { rbacFiles } from './rbac.ts'
import { referenceFiles } from './reference.ts'
import { settingsFiles } from './settings.ts'
import type { GeneratedFile } from './tree.ts'

/** Everything that follows from the code, in one list. */
export const generatedFiles = (): GeneratedFile[] => [
  ...crdFiles(kinds),
  ...editorSchemaFiles(kinds),
  ...referenceFiles(kinds),
  ...settingsFiles(),
  ...metricsFiles(),
  ...errorFiles(),
  ...rbacFiles(controllers),
  ...protoFiles(),
]
