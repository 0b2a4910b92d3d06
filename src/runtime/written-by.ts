/** Who the API server says has written our fields. */
export const WRITTEN_BY = 'talos-operator'
