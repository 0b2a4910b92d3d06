const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** The names of types that belong to every group. */
export const SHARED = {
  deleteOptions: `${META}.DeleteOptions`,
  patch: `${META}.Patch`,
  status: `${META}.Status`,
  objectMeta: `${META}.ObjectMeta`,
  listMeta: `${META}.ListMeta`,
} as const
