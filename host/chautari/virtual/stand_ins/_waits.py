"""Lets asyncio wait for the panel as well as for its own streams, on the board's clock."""

import select

import asyncio.core as core
import utime

import _panel

_known = None


def _wait(self, ms):
    # Called with 0 (a task is ready), the ms to the next timer, or -1 (only a stream or the panel
    # can bring something).
    global _known
    if self.poller is not _known:
        self.poller.register(_panel._in, select.POLLIN)
        _known = self.poller
    end = _panel.ticks_ms() + ms
    while True:
        _panel.poll()
        left = -1
        if ms >= 0:
            left = max(end - _panel.ticks_ms(), 0)
        wait = _panel.until_edge(left)
        if wait > 0 and _panel.speed != 1000:
            us = wait * 1000000 // _panel.speed
            if us < 1000:
                utime.sleep_us(us)
            wait = us // 1000
        ready = panel = False
        for stream, event in self.poller.ipoll(wait):
            if stream is _panel._in:
                panel = True
            else:
                ready = True
                _wake(self, stream, event)
        if panel and ready:
            # What was done at the panel before something was sent is also felt before.
            _panel.poll()
        if ready or (ms < 0 and core._task_queue.peek()):
            return
        if ms >= 0 and end - _panel.ticks_ms() <= 0:
            return


def _wake(self, stream, event):
    waiting = self.map[id(stream)]  # tasks that wait to read (first) or to write (last), stream
    last = len(waiting) - 2
    if event & ~select.POLLOUT and waiting[0] is not None:
        core._task_queue.push(waiting[0])
        waiting[0] = None
    if event & ~select.POLLIN and waiting[last] is not None:
        core._task_queue.push(waiting[last])
        waiting[last] = None
    if waiting[0] is None and waiting[last] is None:
        self._dequeue(stream)
    else:
        self.poller.modify(stream, select.POLLIN if waiting[last] is None else select.POLLOUT)


core.IOQueue.wait_io_event = _wait
