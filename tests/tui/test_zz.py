import time
async def test_x(bare_desk, opened):
    big = "x" * 1_000_000
    rows=(("T-01","slug-1",big,"full","—","pending"),("T-02","slug-2","["*100000,"full","—","pending"))
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, (big,)))
    bare_desk.write(bare_desk.log_path, bare_desk.log_line(f"T-01 · note · {'y' * 10_000_000}") + bare_desk.log_line("T-01 · note · after"))
    t=time.time()
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.shows("T-01", "after")
        print("open", time.time()-t)
        for key in ("down", "up", "2", "down", "down", "3", "up", "w", "up", "c"):
            t=time.time()
            await session.press(key)
            print(key, round(time.time()-t,2))
        t=time.time()
        await session.shows("Why?")
        print("why", time.time()-t)
