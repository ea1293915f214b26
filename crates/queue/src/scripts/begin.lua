-- Before every script: the names of a job's keys, and what several scripts do.
local job, stream, items, versions = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local results, workers, bell, jobs = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local group = 'workers'

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A job that nobody touches any more disappears by itself.
local function keep()
  local seconds = redis.call('HGET', job, 'keep_s')
  if seconds then
    for at = 1, 6 do redis.call('EXPIRE', KEYS[at], seconds) end
  end
end

local function ring()
  redis.call('XADD', bell, 'MAXLEN', '1', '*', 'job', '1')
end

local function add_item(payload)
  local number = redis.call('HINCRBY', job, 'items', 1)
  redis.call('HSET', items, number, payload)
  redis.call('HSET', versions, number, 'first')
  redis.call('XADD', stream, '*', 'item', number)
  redis.call('HINCRBY', job, 'open', 1)
end

-- Whoever gathers reads this last.
local function finish(state, reason)
  redis.call('HSET', job, 'state', state, 'reason', reason)
  redis.call('XADD', results, '*', 'state', state, 'reason', reason)
  redis.call('DEL', stream, items, versions)
  ring()
end

-- The worker that has an entry, and how often it was given to someone.
local function holder(entry)
  local pending = redis.call('XPENDING', stream, group, entry, entry, 1)
  if pending[1] then return pending[1][2], pending[1][4] end
end
