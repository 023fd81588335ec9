"""Pictures of the device: the right thing in the right place, in colour and in grey."""

import math

import pytest
from chautari.virtual import render
from chautari.virtual.wiring import wiring

OFF = [(0, 0, 0)] * 24


def place(pixel, radius=222):
    angle = render.pixel_angle(pixel, 24, 6)
    centre = render.SIZE / 2
    return round(centre + radius * math.sin(angle)), round(centre - radius * math.cos(angle))


def draw(pixels=OFF, picture=bytes(1024), **options):
    return render.device(wiring(), pixels, picture, **options)


def test_each_light_shows_at_its_place_and_nowhere_else():
    dark = draw()
    for n in (0, 3, 4, 11, 23):
        pixels = list(OFF)
        pixels[n] = (200, 10, 10)
        image = draw(pixels)
        assert image.size == (render.SIZE, render.SIZE)
        red, green, blue = image.getpixel(place(n))
        assert red > 200 and red > green and red > blue
        for other in range(24):
            if other != n and abs(other - n) not in (1, 23):
                assert image.getpixel(place(other)) == dark.getpixel(place(other))


def test_seats_go_clockwise_from_the_near_edge_and_their_lights_lie_before_them():
    for seat in range(6):
        lights = [render.pixel_angle(4 * seat + n, 24, 6) for n in range(4)]
        assert math.isclose(sum(lights) / 4, render.seat_angle(seat, 6))
        assert lights == sorted(lights)
    x, y = place(0)
    assert y > render.SIZE / 2 and x > render.SIZE / 2
    assert place(4)[0] < render.SIZE / 2


def test_the_screen_is_readable_from_its_own_side():
    picture = bytes([255]) + bytes(1023)
    upright, turned = draw(picture=picture), draw(picture=picture, turned=True)
    x, y = render.SIZE // 2 - 127, render.SIZE // 2 - 149
    assert min(upright.getpixel((x, y))) > 150 > max(turned.getpixel((x, y)))
    assert min(turned.getpixel((x + 254, y + 126))) > 150


def test_pressed_controls_look_pressed():
    assert draw(held={"seat4"}).tobytes() != draw().tobytes() != draw(held={"#"}).tobytes()


def test_grey_and_larger_pictures():
    assert draw(grey=True).mode == "L"
    assert draw(scale=2).size == (2 * render.SIZE, 2 * render.SIZE)


def test_a_screen_picture_has_1024_bytes():
    image = render.screen(b"\x01" + bytes(1023))
    assert image.size == (128, 64)
    assert image.getpixel((0, 0)) == (255, 255, 255) and image.getpixel((0, 1)) == (0, 0, 0)
    with pytest.raises(ValueError, match="1024"):
        render.screen(b"short")


def test_a_running_board_draws_itself(make, talking):
    board = make()
    told = talking(board)
    told.do("f = bytearray(72); f[0] = 255; board.pixels.show(f)")
    told.do("board.screen.buffer[0] = 1; board.screen.page(0)")
    board.panel.press("seat1")
    assert board.panel.image().getpixel(place(0))[0] == 255
    assert board.panel.image(grey=True).mode == "L"
    assert board.panel.screen_image().getpixel((0, 0)) == (255, 255, 255)
