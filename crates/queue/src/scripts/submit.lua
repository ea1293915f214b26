-- id, spec, label, timeout in ms, seconds to keep, most deliveries of an item, items …
if redis.call('EXISTS', job) == 1 then return 'known' end
local now = now_ms()
redis.call('HSET', job, 'spec', ARGV[2], 'label', ARGV[3], 'timeout_ms', ARGV[4], 'keep_s', ARGV[5], 'most', ARGV[6],
  'state', 'running', 'reason', '', 'submitted_ms', now, 'heard_ms', now, 'items', 0, 'open', 0, 'done', 0)
redis.call('XGROUP', 'CREATE', stream, group, '0', 'MKSTREAM')
for at = 7, #ARGV do add_item(ARGV[at]) end
redis.call('ZADD', jobs, now, ARGV[1])
if #ARGV < 7 then finish('done', '') end
keep()
ring()
return 'new'
