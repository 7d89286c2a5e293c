# SPDX-License-Identifier: BSD-3-Clause
"""Curves as SVG, without any library: for the plots in docs/."""

import math

COLORS = ["#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#b45309", "#0f766e", "#be123c"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 420, 70, 150, 40, 55


class Axis:
    """Numbers to pixels, on a linear or logarithmic axis."""

    def __init__(self, values, first_pixel, last_pixel, logarithmic, whole_decades=False):
        self.logarithmic = logarithmic
        low, high = min(values), max(values)
        if logarithmic:
            low, high = math.log10(low), math.log10(high)
            if whole_decades:
                low, high = math.floor(low), math.ceil(high)
            self.ticks = [m * 10.0 ** p for p in range(math.floor(low), math.ceil(high) + 1)
                          for m in ((1,) if whole_decades or high - low > 2.5 else (1, 2, 5))]
        else:
            step = 10.0 ** math.floor(math.log10((high - low) / 4.0))
            step *= next(m for m in (1, 2, 3, 5, 10) if (high - low) / (m * step) <= 8)
            low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
            self.ticks = [low + i * step for i in range(round((high - low) / step) + 1)]
        self.low, self.high, self.first, self.last = low, high, first_pixel, last_pixel
        self.ticks = [tick for tick in self.ticks if low - 1e-9 <= self._place(tick) <= high + 1e-9]

    def _place(self, value):
        return math.log10(value) if self.logarithmic else value

    def pixel(self, value):
        return self.first + (self._place(value) - self.low) / (self.high - self.low) * (self.last - self.first)


def plot(path, title, x_label, y_label, series, logarithmic=True, dashed=()):
    """series is [(name, [(x, y)])]; names stand at the ends of their curves. `dashed` are the same curves of another
    origin, in the same order: drawn over them, dashed and without names."""
    x_axis = Axis([x for _, points in series for x, _ in points], LEFT, WIDTH - RIGHT, logarithmic)
    y_axis = Axis([y for _, points in series for _, y in points], HEIGHT - BOTTOM, TOP, logarithmic, True)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{title}</text>']
    for tick in y_axis.ticks:
        y = y_axis.pixel(tick)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{round(tick, 10):g}</text>')
    for tick in x_axis.ticks:
        x = x_axis.pixel(tick)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#eee"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{round(tick, 10):g}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{x_label}</text>')
    out.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">{y_label}</text>')
    ends = sorted((y_axis.pixel(points[-1][1]), index) for index, (_, points) in enumerate(series))
    places, lowest = {}, -1e9
    for at, index in ends:  # names do not lie on each other
        lowest = max(at, lowest + 16)
        places[index] = lowest
    for index, (name, points) in enumerate(series):
        color = COLORS[index % len(COLORS)]
        corners = " ".join(f"{'M' if i == 0 else 'L'}{x_axis.pixel(x):.1f} {y_axis.pixel(y):.1f}"
                           for i, (x, y) in enumerate(points))
        if len(points) > 1:
            out.append(f'<path d="{corners}" fill="none" stroke="{color}" stroke-width="2"/>')
        if len(points) < 20:
            out += [f'<circle cx="{x_axis.pixel(x):.1f}" cy="{y_axis.pixel(y):.1f}" r="3.5" fill="{color}"/>'
                    for x, y in points]
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{places[index] + 4:.1f}" fill="{color}">{name}</text>')
    for points in dashed:
        corners = " ".join(f"{'M' if i == 0 else 'L'}{x_axis.pixel(x):.1f} {y_axis.pixel(y):.1f}"
                           for i, (x, y) in enumerate(points))
        out.append(f'<path d="{corners}" fill="none" stroke="black" stroke-width="1" stroke-dasharray="2 5"/>')
    path.write_text("\n".join(out + ["</svg>"]) + "\n")
