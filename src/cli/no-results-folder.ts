import type { ResultsFolder } from '#controllers/kubernetes-cluster/results.ts'

/** In the place of the folder that the manifests of Machines are written to, which is where the operator runs. */
export const noResultsFolder: ResultsFolder = {
  look: async () => ({ stale: [], surplus: [] }),
  write: async () => undefined,
  remove: async () => undefined,
}
