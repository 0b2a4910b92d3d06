import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { fromScaleFields, toScaleFields } from './scale-ownership.ts'
import { apiVersion, entry } from './things.cases.ts'

const paths = new Map([[apiVersion, ['f:spec', 'f:replicas']]])
const both = entry('a', 'Apply', { 'f:spec': { 'f:replicas': {}, 'f:text': {} } })
const other = entry('b', 'Update', { 'f:spec': { 'f:text': {} } })

describe('the owners of a scale', () => {
  it('are those of the replicas', () => {
    expect(toScaleFields([both, other], paths)).toEqual([
      {
        ...entry('a', 'Apply', { 'f:spec': { 'f:replicas': {} } }),
        apiVersion: 'autoscaling/v1',
      },
    ])
  })

  it('take the replicas from those of the object', () => {
    const taker: Fields = {
      ...entry('k', 'Update', { 'f:spec': { 'f:replicas': {} } }),
      apiVersion: 'autoscaling/v1',
      subresource: 'scale',
    }

    const entries = fromScaleFields({ entries: [both], scaleEntries: [taker], apiVersion, paths })

    expect(entries).toEqual([
      entry('a', 'Apply', { 'f:spec': { 'f:text': {} } }),
      { ...taker, apiVersion, time: undefined },
    ])
  })

  it('leave the object as it is when nobody takes them', () => {
    const scaleEntries = toScaleFields([both, other], paths)

    const entries = fromScaleFields({ entries: [both, other], scaleEntries, apiVersion, paths })

    expect(entries).toEqual([both, other])
  })
})
