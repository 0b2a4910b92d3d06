import { describe, expect, it } from 'vitest'
import { type HealthCheck, healthAt, healthPaths } from './health.ts'

const well: HealthCheck[] = [{ name: 'ping' }, { name: 'etcd' }]
const ill: HealthCheck[] = [{ name: 'ping' }, { name: 'etcd', problem: () => 'the disk is full' }]

const ask = (url: string, checks = well) => {
  const [path = '', search] = url.split('?')
  return healthAt(checks, { path, query: new URLSearchParams(search) })
}

describe('the health of the API', () => {
  it('is one word unless more is asked', () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/readyz/ping', '/livez/etcd']) {
      expect(ask(path)).toMatchObject({ code: 200, body: 'ok' })
    }
  })

  it('is told check by check', () => {
    expect(ask('/readyz?verbose')?.body).toBe('[+]ping ok\n[+]etcd ok\nreadyz check passed\n')
  })

  it('leaves out the checks that are named, and tells of names that are none', () => {
    expect(ask('/livez?verbose&exclude=etcd&exclude=b&exclude=a')?.body).toBe(
      '[+]ping ok\n[+]etcd excluded: ok\n' +
        'warn: some health checks cannot be excluded: no matches for "a","b"\n' +
        'livez check passed\n',
    )
    expect(ask('/livez?exclude=etcd', ill)).toMatchObject({ code: 200, body: 'ok' })
  })

  it('tells everybody which check fails, and why only where the check itself is asked for', () => {
    expect(ask('/healthz', ill)).toMatchObject({
      code: 500,
      body: '[+]ping ok\n[-]etcd failed: reason withheld\nhealthz check failed\n',
    })
    expect(ask('/healthz/etcd', ill)).toMatchObject({
      code: 500,
      body: 'internal server error: the disk is full\n',
    })
  })

  it('is not asked at other paths', () => {
    expect(ask('/healthzz')).toBeUndefined()
    expect(ask('/readyz/nothing')).toBeUndefined()
    expect(ask('/readyz/')).toBeUndefined()
    expect(healthPaths(well)).toHaveLength(9)
  })
})
