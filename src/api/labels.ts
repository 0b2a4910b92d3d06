// Keys of labels and annotations that more than one place has to know.

import { type Kind, TALOS_GROUP } from './meta.ts'

/** How an object is treated: `reconcile`, `disable`, `dryrun` or `import`. */
export const RECONCILE_MODE = `${TALOS_GROUP}/reconcile-mode`

/** What every label key of ours begins with. */
export const LABEL_PREFIX = `${TALOS_GROUP}/`

/** The label on what was made on behalf of an object of the kind; its value is the object's name. */
export const makerLabelOf = ({ stem }: Kind): string => `${LABEL_PREFIX}${stem}`
