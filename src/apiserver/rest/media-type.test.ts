import { expect, test } from 'vitest'
import { formFor } from './media-type.ts'

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

test.each([
  [undefined, 'object', 'json'],
  ['*/*', 'object', 'json'],
  ['application/json', 'object', 'json'],
  ['Application/JSON; charset=utf-8', 'object', 'json'],
  ['application/yaml', 'object', 'yaml'],
  ['application/vnd.kubernetes.protobuf, application/json', 'object', 'json'],
  [`${TABLE}, application/json`, 'table', 'json'],
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io, application/json', 'object', 'json'],
  ['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', 'partial', 'json'],
  ['application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', 'partial', 'json'],
])('who accepts %s is shown the %s in %s', (accept, as, syntax) => {
  expect(formFor(accept)).toEqual({ as, syntax })
})

test.each(['application/vnd.kubernetes.protobuf', 'text/html', 'application/json;as=Chart'])(
  'nothing is there for who accepts %s',
  (accept) => {
    expect(formFor(accept)).toBeUndefined()
  },
)
