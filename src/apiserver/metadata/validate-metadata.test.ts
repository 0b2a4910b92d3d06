import { describe, expect, test } from 'vitest'
import type { FieldError } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import {
  keepServerMetadata,
  type MetadataRules,
  validateMetadata,
  validateMetadataUpdate,
} from './validate-metadata.ts'

const rules: MetadataRules = { namespaced: true, nameRule: 'subdomain', takesAnyFinalizer: false }
const KEY =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const told = (errors: readonly FieldError[]): string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`)

const problemsOf = (metadata: Fields, given: Partial<MetadataRules> = {}): string[] =>
  told(validateMetadata({ name: 'a', namespace: 'b', ...metadata }, { ...rules, ...given }))

describe('a new object', () => {
  test('may have everything that is usual', () => {
    expect(
      problemsOf({
        labels: { 'app.kubernetes.io/name': 'x', empty: '' },
        annotations: { 'Example.com/Any': '{}' },
        finalizers: ['example.com/x', 'foregroundDeletion'],
        ownerReferences: [
          { apiVersion: 'v1', kind: 'X', name: 'a', uid: '1', controller: true },
          { apiVersion: 'v1', kind: 'X', name: 'b', uid: '2' },
        ],
      }),
    ).toEqual([])
  })

  test.each([
    [{ name: 'A_b' }, [`metadata.name: Invalid value: "A_b": ${SUBDOMAIN}`]],
    [{ name: '' }, ['metadata.name: Required value: name or generateName is required']],
    [
      { name: 'a'.repeat(254) },
      [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
    ],
    [
      { generateName: 'Ab-', name: 'Ab-x' },
      [
        `metadata.generateName: Invalid value: "Ab-": ${SUBDOMAIN}`,
        `metadata.name: Invalid value: "Ab-x": ${SUBDOMAIN}`,
      ],
    ],
    [{ generateName: 'ab-', name: 'ab-x' }, []],
    [{ namespace: '' }, ['metadata.namespace: Required value']],
    [{ namespace: 'a.b' }, ['metadata.namespace: Invalid value: "a.b": must not contain dots']],
    [
      { labels: { 'a/b/c': 'x' } },
      [
        `metadata.labels: Invalid value: "a/b/c": a valid label key ${KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
    [
      { labels: { '/b': 'x' } },
      ['metadata.labels: Invalid value: "/b": prefix part must be non-empty'],
    ],
    [
      { labels: { a: 'y'.repeat(64) } },
      [`metadata.labels: Invalid value: "${'y'.repeat(64)}": must be no more than 63 bytes`],
    ],
    [
      { annotations: { 'A b': 'x' } },
      [`metadata.annotations: Invalid value: "A b": name part ${KEY}`],
    ],
    [
      { annotations: { a: 'x'.repeat(262_144) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      { finalizers: ['x'] },
      [
        'metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    [
      { finalizers: ['orphan', 'foregroundDeletion'] },
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
    [
      { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      ],
    ],
  ])('with %j is told what is wrong with it', (metadata: Fields, problems) => {
    expect(problemsOf(metadata)).toEqual(problems)
  })

  test('has one controller at most, and no event owns anything', () => {
    const one = { apiVersion: 'v1', kind: 'X', name: 'a', uid: '1', controller: true }
    const event = { apiVersion: 'v1', kind: 'Event', name: 'e', uid: '1' }

    expect(problemsOf({ ownerReferences: [one, { ...one, name: 'b' }, event] })).toEqual([
      expect.stringContaining(
        'Only one reference can have Controller set to true. Found "true" in references for X/a and X/b',
      ),
      expect.stringContaining('/v1, Kind=Event is disallowed from being an owner'),
    ])
  })

  test('has a namespace only if its kind has', () => {
    expect(problemsOf({}, { namespaced: false })).toEqual([
      'metadata.namespace: Forbidden: not allowed on this type',
    ])
  })

  test('of a custom kind may have finalizers of any name', () => {
    expect(problemsOf({ finalizers: ['x'] }, { takesAnyFinalizer: true })).toEqual([])
  })
})

describe('a changed object', () => {
  const old = { name: 'a', namespace: 'b', uid: '1', creationTimestamp: 'then', generation: 4 }

  const problemsOfChange = (metadata: Fields, before: Fields = old): string[] =>
    told(validateMetadataUpdate({ ...old, ...metadata }, before, rules))

  test('keeps what the server says, whatever the writer says', () => {
    const deleted = { ...old, deletionTimestamp: 'soon', deletionGracePeriodSeconds: 0 }
    const metadata: Fields = { name: 'a', namespace: 'b', generation: 9, creationTimestamp: 'now' }

    keepServerMetadata(metadata, deleted)
    expect(metadata).toEqual(deleted)
  })

  test('has no generation where it had none', () => {
    const metadata: Fields = { generation: 9 }

    keepServerMetadata(metadata, {})
    expect(metadata).toEqual({})
  })

  test('cannot become another one', () => {
    expect(problemsOfChange({ uid: '2', name: 'z' })).toEqual([
      'metadata.name: Invalid value: "z": field is immutable',
      'metadata.uid: Invalid value: "2": field is immutable',
    ])
  })

  test('cannot be marked as deleted', () => {
    expect(problemsOfChange({ deletionTimestamp: '2024-01-01T00:00:00Z' })).toEqual([
      'metadata.deletionTimestamp: Invalid value: "2024-01-01T00:00:00Z": field is immutable',
    ])
  })

  test('gets no new finalizers once it is being deleted', () => {
    const before = { ...old, deletionTimestamp: 'soon', finalizers: ['example.com/x'] }
    const finalizers = ['example.com/x', 'example.com/z', 'example.com/y']

    expect(problemsOfChange({ deletionTimestamp: 'soon', finalizers }, before)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/y", "example.com/z"}',
    ])
    expect(problemsOfChange({ deletionTimestamp: 'soon', finalizers: [] }, before)).toEqual([])
  })

  test('is held to the same rules for labels', () => {
    expect(problemsOfChange({ labels: { '-a': 'b' } })).toEqual([
      `metadata.labels: Invalid value: "-a": name part ${KEY}`,
    ])
  })
})
