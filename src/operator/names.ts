import { PART_OF_LABELS } from '#api/crd.ts'

/** What the operator is called, wherever it is installed. */
export const NAME = 'talos-operator'

/** What it runs as. */
export const ACCOUNT = `${NAME}-controller-manager`

/** By which its pods are found. */
export const SELECTOR = { 'app.kubernetes.io/name': NAME, 'app.kubernetes.io/instance': NAME }

/** What is on each of its objects. */
export const LABELS = { ...SELECTOR, ...PART_OF_LABELS }
