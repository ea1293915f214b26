/** As v0, with other names of fields and variables. */
public class Wbs {
    private int commandBefore;
    private int greenBefore;
    private int blueBefore;
    private boolean sound = true;

    public int normalPressure;
    public int alternatePressure;

    public void update(int pedal, boolean autoBrake, boolean skid) {
        int demand;
        if (pedal == 0) {
            demand = 0;
        } else if (pedal == 1) {
            demand = 1;
        } else if (pedal == 2) {
            demand = 2;
        } else if (pedal == 3) {
            demand = 3;
        } else if (pedal == 4) {
            demand = 4;
        } else {
            demand = 0;
        }

        if (autoBrake) {
            demand = demand > 1 ? demand : 1;
        }
        sound = sound && demand - commandBefore <= 4;

        int green = 5 * demand;
        int blue = 4 * demand;
        if (skid) {
            green = 0;
            blue = blueBefore > 0 ? blueBefore / 2 : 0;
        }

        boolean useGreen = sound && greenBefore >= 0;
        normalPressure = useGreen ? green : 0;
        alternatePressure = useGreen ? 0 : blue;

        commandBefore = demand;
        greenBefore = green;
        blueBefore = blue;
    }
}
