import { stringify } from 'yaml'

/** YAML as we write it: no anchors (kubectl users would trip over them), lines up to 100 wide. */
export const toYaml = (value: unknown): string =>
  stringify(value, { aliasDuplicateObjects: false, lineWidth: 100 })
