import { kinds } from '#api/kinds.ts'
import { crdFiles } from './crds.ts'
import { editorSchemaFiles } from './editor-schemas.ts'
import { referenceFiles } from './reference.ts'
import type { GeneratedFile } from './tree.ts'

/** Everything that follows from the code, in one list. */
export const generatedFiles = (): GeneratedFile[] => [
  ...crdFiles(kinds),
  ...editorSchemaFiles(kinds),
  ...referenceFiles(kinds),
]
